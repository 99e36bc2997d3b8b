import fs from 'node:fs'

/** Gives a finished folder its name; when another process was first, theirs stays and ours goes. */
export const moveFolder = (finished: string, place: string): void => {
  try {
    fs.renameSync(finished, place)
  } catch (error) {
    const first =
      error instanceof Error && ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(String(Reflect.get(error, 'code')))
    fs.rmSync(finished, { recursive: true, force: true })
    if (first && fs.existsSync(place)) return
    throw error
  }
}
