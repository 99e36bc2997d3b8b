export interface Problem { readonly invariant: string; readonly words: string }
export const newCheckState = () => ({})
export const checkStep = async (_s: object, _v: unknown, _c: unknown): Promise<readonly Problem[]> => []
export const checkEnd = async (_s: object, view: { query: import('../database/query.js').Query }): Promise<readonly Problem[]> => {
  const rows = await view.query<{ n: number }>(`select (select count(*) from payouts where next_action is not null)::int + (select count(*) from requests where next_action is not null and status <> 'waiting')::int as n`)
  return (rows[0]?.n ?? 0) === 0 ? [] : [{ invariant: 'finishes', words: `${rows[0]?.n} left` }]
}
