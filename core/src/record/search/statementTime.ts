import { ServiceError } from '../../errors/serviceError.js'

/** PostgreSQL ended the statement: its time was over. */
const QUERY_CANCELED = '57014'

/** Whether a statement was ended because it took too long. */
export const tookTooLong = (error: unknown): boolean => Reflect.get(Object(error), 'code') === QUERY_CANCELED

export const tooLong = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Searching these requests takes too long. Narrow the filters, or leave includeTotal out.',
  )

/** Throws `SERVICE_UNAVAILABLE` where the statement took too long (wire.md K.3 4). */
export const withinTime = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (!tookTooLong(error)) throw error
    throw tooLong()
  }
}
