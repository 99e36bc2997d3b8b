/** Whoever read the output has left, as `head` does: the work goes on, and what is said from here on reaches nobody. */
export const outliveReader = (stream: NodeJS.WriteStream): void => {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
