/** SQLSTATE class of statements that no database of this schema takes. */
const MALFORMED = /^42/
/** The world lacks a key that the service has everywhere. */
const KEYLESS = /was not given the key/

/** Throws an error that no fault of the world causes, so that the step complains of it: a defect of the code, or of the world. */
export const requireKnown = (error: unknown): void => {
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : ''
  const isKeyless = error instanceof Error && KEYLESS.test(error.message)
  if (error instanceof TypeError || error instanceof RangeError || isKeyless || MALFORMED.test(code)) throw error
}
