import type { RecordCondition, RecordQuery } from '../record/search/recordQuery.js'

/** A search of the history by some conditions, newest first, three on a page, and nothing else unless it is said. */
export const plainQuery = (conditions: readonly RecordCondition[], more: Partial<RecordQuery> = {}): RecordQuery => ({
  conditions,
  groups: [],
  ranges: {},
  hiddenChains: [],
  children: false,
  sort: 'createdAt',
  descending: true,
  limit: 3,
  after: null,
  ...more,
})
