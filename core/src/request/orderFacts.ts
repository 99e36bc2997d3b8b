/**
 * Facts of a child are those of the quote whose order it carries. They may be large and children many, so they are kept once for an
 * order (faults.md F132): `request_facts.shared` says that they are in `order_facts`. For statements with the request as `r`, its
 * facts as `f` and this join.
 */
export const ORDER_FACTS_JOIN = 'left join order_facts s on f.shared and s.order_id = r.order_id'

export const QUOTED_SQL = 'coalesce(s.quoted, f.quoted)'
export const BODY_SQL = 'coalesce(s.body, f.body)'
