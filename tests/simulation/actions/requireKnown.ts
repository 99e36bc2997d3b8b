/** SQLSTATE class of statements that no database of this schema takes. */
const MALFORMED = /^42/

/** Throws an error that no fault of the world causes, so that the step complains of it: a defect of the code, or of the schema. */
export const requireKnown = (error: unknown): void => {
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : ''
  if (error instanceof TypeError || error instanceof RangeError || MALFORMED.test(code)) throw error
}
