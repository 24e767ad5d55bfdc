// Files in the format of the vendor's price list, with its oddities: rates in any order, texts for
// all numbers, free rates beside paid ones.
export interface Rate {
  price: string;
  begin?: string;
  end?: string;
  currency?: string;
}

export interface OfferProduct {
  family: string;
  attributes: Record<string, string>;
  unit: string;
  description?: string;
  rates: Rate[];
  effective?: string;
}

export interface OfferFile {
  offerCode: string;
  products: OfferProduct[];
  published?: string;
  formatVersion?: string;
}

/** An offer file as text. The SKUs are `SKU0`, `SKU1`, in the order of the products. */
export function offerFile({
  offerCode,
  products,
  published = '2026-11-01',
  formatVersion = 'v1.0',
}: OfferFile): string {
  const skus = products.map((product, i) => ({ sku: `SKU${i}`, ...product }));
  return JSON.stringify({
    formatVersion,
    disclaimer: 'For informational purposes only.',
    offerCode,
    version: `${published.replaceAll('-', '')}000000`,
    publicationDate: `${published}T00:00:00Z`,
    products: Object.fromEntries(
      skus.map(({ sku, family: productFamily, attributes }) => [
        sku,
        { sku, productFamily, attributes: { locationType: 'AWS Region', ...attributes } },
      ]),
    ),
    terms: { OnDemand: Object.fromEntries(skus.map((product) => [product.sku, terms(product)])), Reserved: {} },
  });
}

function terms({ sku, unit, rates, description = '', effective = '2026-10-01' }: OfferProduct & { sku: string }) {
  const term = `${sku}.JRTCKXETXF`;
  const dimensions = rates.map(({ price, begin = '0', end = 'Inf', currency = 'USD' }, i) => [
    `${term}.R${i}`,
    {
      rateCode: `${term}.R${i}`,
      description,
      beginRange: begin,
      endRange: end,
      unit,
      appliesTo: [],
      pricePerUnit: { [currency]: price },
    },
  ]);
  return {
    [term]: {
      offerTermCode: 'JRTCKXETXF',
      sku,
      effectiveDate: `${effective}T00:00:00Z`,
      priceDimensions: Object.fromEntries(dimensions),
      termAttributes: {},
    },
  };
}

const billion = (count: number): string => String(count * 1e9);

/** The three tiers of us-east-1, with this price of a request in the first one. */
export const queueRates = (first = '0.0000004000'): Rate[] => [
  { price: '0.0000002400', begin: billion(200) },
  { price: first, end: billion(100) },
  { price: '0.0000003000', begin: billion(100), end: billion(200) },
];

/** A product of queue requests. */
export const queueProduct = (region: string, queueType = 'Standard', rates = queueRates()): OfferProduct => ({
  family: 'API Request',
  attributes: { regionCode: region, location: region, group: 'SQS-APIRequest-Tier1', queueType },
  unit: 'Requests',
  rates,
});

/** A product of a function's duration with the tiers of x86. */
export const durationProduct = (region: string, attributes: Record<string, string>, prices: string[]): OfferProduct => {
  const limits = attributes['group']?.endsWith('ARM') || attributes['archSupport'] === 'arm' ? [7.5, 18.75] : [6, 15];
  const [low = 0, high = 0] = limits;
  const [first = '', second = '', third = ''] = prices;
  return {
    family: 'Serverless',
    attributes: { regionCode: region, location: region, ...attributes },
    unit: 'Lambda-GB-Second',
    rates: [
      { price: third, begin: billion(high) },
      { price: first, end: billion(low) },
      { price: second, begin: billion(low), end: billion(high) },
    ],
  };
};

/** A product of inference tokens. */
export const tokenProduct = (attributes: Record<string, string>, unit: string, price: string): OfferProduct => ({
  family: 'Amazon Bedrock',
  attributes: { location: 'EU (Ireland)', regionCode: 'eu-west-1', ...attributes },
  unit,
  rates: [{ price }],
});
