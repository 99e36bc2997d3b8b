const ignoreBrokenPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error
}

/** Whoever read the output has left, as `head` does: the work goes on, and what is said from here on reaches nobody. */
export const outliveReader = (stream: NodeJS.WriteStream): void => {
  if (!stream.listeners('error').includes(ignoreBrokenPipe)) stream.on('error', ignoreBrokenPipe)
}
