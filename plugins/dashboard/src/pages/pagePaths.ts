/** Parts of the pages, by the first word of their path. */
export const AREAS = ['dashboard', 'console', 'track', 'try'] as const
export type Area = (typeof AREAS)[number]

const SHOWN_BY_ID: Readonly<Record<Area, readonly string[]>> = {
  dashboard: ['requests', 'keys', 'webhooks', 'extensions'],
  console: ['chains', 'explain', 'lanes', 'parked', 'addresses', 'balances', 'extensions'],
  track: [],
  try: [],
}

/** Paths that answer with the page of an area; which view that is, the page reads from the address. */
export const pagePathsOf = (area: Area): readonly string[] => [
  `/${area}`,
  ...(area === 'track' ? [`/${area}/:id`] : [`/${area}/:page`]),
  ...SHOWN_BY_ID[area].map((page) => `/${area}/${page}/:id`),
]
