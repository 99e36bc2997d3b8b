import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file only its owner can read, whole or not at all. */
export const writePrivateFile = (file: string, text: string): void => {
  const partial = `${file}.${process.pid}.partial`
  writeFileSync(partial, text, { mode: 0o600 })
  renameSync(partial, file)
}

export const writePrivateJson = (file: string, value: unknown): void =>
  writePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`)
