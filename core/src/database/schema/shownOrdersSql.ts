/** A deposit that was given another order, by the one that its chain shows: of an address the only way to what was swept from it. */
export const shownOrdersSql = `
create index deposits_shown_order on deposits (shown_order_id) where given;
`
