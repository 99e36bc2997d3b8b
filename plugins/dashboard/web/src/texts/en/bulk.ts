const counted = (count: number): string => count.toLocaleString('en')

/** Words of actions for several rows. */
export const bulk = {
  all: (count: number, hasMore: boolean) =>
    hasMore ? `Select all (${counted(count)} loaded, more follow)` : `Select all (${counted(count)})`,
  loading: 'Loading all rows…',
  chosen: (count: number, most: number) =>
    `${counted(count)} selected${count === most ? `, the maximum of one action` : ''}`,
  keys: 'Space selects a row, Shift extends the selection, arrow keys move, Ctrl+A selects all, Escape clears.',
  clear: 'Clear',
  actions: 'Actions for the selected rows',
  action: (text: string, count: number) => `${text} (${counted(count)})`,
  leftOut: (count: number) =>
    `${counted(count)} of the selected rows ${count === 1 ? 'does' : 'do'} not allow this action and ${count === 1 ? 'is' : 'are'} left out.`,
  sum: 'Total',
  items: 'Rows of this action',
  progress: (over: number, count: number, refused: number) =>
    `${counted(over)} of ${counted(count)}${refused === 0 ? '' : `, ${counted(refused)} refused`}`,
  ended: (done: number, count: number) => `${counted(done)} of ${counted(count)} done.`,
  endedMore: 'The rest is unchanged or already done: each row states the reason.',
  stopped: (why: string) => `Stopped: ${why}`,
  unknown: 'No answer arrived, so the result is unknown. Reload the list, then retry.',
  stop: 'Stop after this one',
  stopping: 'Stopping…',
  again: (count: number) => `Retry ${counted(count)}`,
  states: { waiting: 'Not started', working: 'Working', done: 'Done', refused: 'Refused' },
  lines: (count: number) => `${counted(count)} command ${count === 1 ? 'line' : 'lines'}`,
  typed: (verb: string, count: number) => `${verb} ${count}`,
}
