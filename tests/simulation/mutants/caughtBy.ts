/** The first seed that notices each mutant, as `npm run simulate -- --mutant all` finds them; to be found again when the world changes. */
export const CAUGHT_BY: Readonly<Record<string, number>> = { 'order-consumed-twice': 1 }
