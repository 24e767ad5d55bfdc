/** The codes of countries, ISO 3166-1: from alpha-2 to alpha-3, the latter in lower case. */
export const ALPHA3_CODES = new Map(
  (
    'FI:fin SE:swe NO:nor DK:dnk IS:isl EE:est LT:ltu LV:lva GB:gbr IE:irl FR:fra DE:deu AT:aut CH:che BE:bel NL:nld LU:lux IT:ita ES:esp PT:prt ' +
    'GR:grc PL:pol CZ:cze SK:svk RO:rou BG:bgr HR:hrv HU:hun SI:svn RS:srb UA:ukr US:usa CA:can MX:mex BR:bra AR:arg UY:ury CL:chl PE:per CO:col ' +
    'EC:ecu DO:dom CN:chn TW:twn HK:hkg SG:sgp MY:mys TH:tha KR:kor JP:jpn IN:ind PK:pak ID:idn VN:vnm LK:lka IL:isr TR:tur KZ:kaz AE:are SA:sau EG:egy ZA:zaf NG:nga AU:aus NZ:nzl'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
