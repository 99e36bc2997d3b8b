import { ActionRefusedError } from '@causeway/core/plugin'

/** A whole number from 1 to `max` of the command line. */
export const readCount = (value: unknown, name: string, max: number): number => {
  const count = Number(value)
  if (!/^[0-9]+$/.test(String(value)) || count < 1 || count > max) {
    throw new ActionRefusedError(`Give ${name} a whole number from 1 to ${max}.`)
  }
  return count
}

/** The text of an option that must be there. */
export const readText = (value: unknown, name: string): string => {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 500) {
    throw new ActionRefusedError(`Give ${name} with 1 to 500 characters.`)
  }
  return value.trim()
}
