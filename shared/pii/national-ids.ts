import { ARGENTINA } from './countries/argentina.ts';
import { AUSTRALIA } from './countries/australia.ts';
import { AUSTRIA } from './countries/austria.ts';
import { BELGIUM } from './countries/belgium.ts';
import { BRAZIL } from './countries/brazil.ts';
import { BULGARIA } from './countries/bulgaria.ts';
import { CANADA } from './countries/canada.ts';
import { CHILE } from './countries/chile.ts';
import { CHINA } from './countries/china.ts';
import { COLOMBIA } from './countries/colombia.ts';
import { CROATIA } from './countries/croatia.ts';
import { CZECHIA } from './countries/czechia.ts';
import { DENMARK } from './countries/denmark.ts';
import { DOMINICAN_REPUBLIC } from './countries/dominican-republic.ts';
import { ECUADOR } from './countries/ecuador.ts';
import { EGYPT } from './countries/egypt.ts';
import { ESTONIA } from './countries/estonia.ts';
import { FINLAND } from './countries/finland.ts';
import { FRANCE } from './countries/france.ts';
import { GERMANY } from './countries/germany.ts';
import { GREECE } from './countries/greece.ts';
import { HONG_KONG } from './countries/hong-kong.ts';
import { HUNGARY } from './countries/hungary.ts';
import { ICELAND } from './countries/iceland.ts';
import { INDIA } from './countries/india.ts';
import { INDONESIA } from './countries/indonesia.ts';
import { IRAN } from './countries/iran.ts';
import { IRELAND } from './countries/ireland.ts';
import { ISRAEL } from './countries/israel.ts';
import { ITALY } from './countries/italy.ts';
import { JAPAN } from './countries/japan.ts';
import { KAZAKHSTAN } from './countries/kazakhstan.ts';
import { LATVIA } from './countries/latvia.ts';
import { LITHUANIA } from './countries/lithuania.ts';
import { LUXEMBOURG } from './countries/luxembourg.ts';
import { MALAYSIA } from './countries/malaysia.ts';
import { MEXICO } from './countries/mexico.ts';
import { NETHERLANDS } from './countries/netherlands.ts';
import { NEW_ZEALAND } from './countries/new-zealand.ts';
import { NIGERIA } from './countries/nigeria.ts';
import { NORWAY } from './countries/norway.ts';
import { PAKISTAN } from './countries/pakistan.ts';
import { PERU } from './countries/peru.ts';
import { POLAND } from './countries/poland.ts';
import { PORTUGAL } from './countries/portugal.ts';
import { ROMANIA } from './countries/romania.ts';
import { RUSSIA } from './countries/russia.ts';
import { SERBIA } from './countries/serbia.ts';
import { SINGAPORE } from './countries/singapore.ts';
import { SLOVAKIA } from './countries/slovakia.ts';
import { SLOVENIA } from './countries/slovenia.ts';
import { SOUTH_AFRICA } from './countries/south-africa.ts';
import { SOUTH_KOREA } from './countries/south-korea.ts';
import { SPAIN } from './countries/spain.ts';
import { SRI_LANKA } from './countries/sri-lanka.ts';
import { SWEDEN } from './countries/sweden.ts';
import { SWITZERLAND } from './countries/switzerland.ts';
import { TAIWAN } from './countries/taiwan.ts';
import { THAILAND } from './countries/thailand.ts';
import { TURKEY } from './countries/turkey.ts';
import { UKRAINE } from './countries/ukraine.ts';
import { UNITED_ARAB_EMIRATES } from './countries/united-arab-emirates.ts';
import { UNITED_KINGDOM } from './countries/united-kingdom.ts';
import { UNITED_STATES } from './countries/united-states.ts';
import { URUGUAY } from './countries/uruguay.ts';
import { VIETNAM } from './countries/vietnam.ts';
import type { Country, NationalId } from './national-id.ts';

/**
 * Every country. If two schemes accept a value on equal evidence, the earlier one names the
 * finding.
 */
export const COUNTRIES: readonly Country[] = [
  FINLAND,
  SWEDEN,
  NORWAY,
  DENMARK,
  ICELAND,
  ESTONIA,
  LITHUANIA,
  LATVIA,
  UNITED_KINGDOM,
  IRELAND,
  FRANCE,
  GERMANY,
  AUSTRIA,
  SWITZERLAND,
  BELGIUM,
  NETHERLANDS,
  LUXEMBOURG,
  ITALY,
  SPAIN,
  PORTUGAL,
  GREECE,
  POLAND,
  CZECHIA,
  SLOVAKIA,
  ROMANIA,
  BULGARIA,
  CROATIA,
  HUNGARY,
  SLOVENIA,
  SERBIA,
  UKRAINE,
  RUSSIA,
  UNITED_STATES,
  CANADA,
  MEXICO,
  BRAZIL,
  ARGENTINA,
  CHILE,
  PERU,
  COLOMBIA,
  ECUADOR,
  URUGUAY,
  DOMINICAN_REPUBLIC,
  CHINA,
  TAIWAN,
  HONG_KONG,
  SINGAPORE,
  MALAYSIA,
  THAILAND,
  SOUTH_KOREA,
  JAPAN,
  INDIA,
  PAKISTAN,
  INDONESIA,
  VIETNAM,
  SRI_LANKA,
  IRAN,
  ISRAEL,
  TURKEY,
  KAZAKHSTAN,
  UNITED_ARAB_EMIRATES,
  EGYPT,
  SOUTH_AFRICA,
  NIGERIA,
  AUSTRALIA,
  NEW_ZEALAND,
];

/** The national ids of every country. */
export const NATIONAL_IDS: readonly NationalId[] = COUNTRIES.flatMap(({ code, schemes }) =>
  schemes.map((scheme) => ({ ...scheme, type: 'national_id', country: code })),
);
