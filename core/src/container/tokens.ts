import type { InjectionToken } from 'tsyringe'

/** A container token equal across two loaded copies of core. `id` is the name of the contract, for example `core/Clock`. */
export const token = <T>(id: string): InjectionToken<T> => Symbol.for(`@causeway/${id}`)
