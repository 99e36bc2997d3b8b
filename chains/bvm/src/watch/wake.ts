/** A rest that a hint cuts short; a hint that comes while nobody rests is kept. */
export class Wake {
  #hinted = false
  #rouse: (() => void) | null = null

  hint(): void {
    this.#hinted = true
    this.#rouse?.()
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#rouse = null
        this.#hinted = false
        resolve()
      }
      const timer = setTimeout(end, this.#hinted || signal.aborted ? 0 : ms)
      this.#rouse = end
      signal.addEventListener('abort', end, { once: true })
    })
  }
}
