/** One thing that must never be found. Its SQL gives `ids` (text[]) and `says` (text), a row for each violation. */
export interface BookCheck {
  readonly name: string
  readonly rule: string
  readonly remedy: string
  readonly sql: string
}

export const TAMPERED =
  'Only a change behind the service makes this. Stop the solver, compare with a backup, find who wrote it.'
export const DEFECT =
  'Stop the solver for this lane (--role without solver) and report it with the output of causeway explain.'
