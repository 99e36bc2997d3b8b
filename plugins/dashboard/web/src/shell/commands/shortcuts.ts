import { useEffect } from 'react'

/** What a key, or `g` and a key, does. */
export interface Shortcut {
  /** As `event.key` has it; with `g` before it where `afterG`. */
  readonly key: string
  readonly afterG?: boolean
  /** Held with Control or Command. */
  readonly command?: boolean
  readonly text: string
  act(): void
}

const SEQUENCE_MS = 1_200

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Listens to the keys of a page while nobody is writing and no dialog is open. */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void => {
  useEffect(() => {
    let goneAt: number | null = null
    const listen = (event: KeyboardEvent) => {
      const command = event.ctrlKey || event.metaKey
      if (event.altKey || (!command && isWriting(event.target))) return
      const afterG = goneAt !== null && performance.now() - goneAt < SEQUENCE_MS
      const found = shortcuts.find(
        (each) =>
          each.key === event.key &&
          (each.command === true) === command &&
          (each.afterG === true) === (afterG && !command),
      )
      goneAt = event.key === 'g' && !command ? performance.now() : null
      if (found === undefined || (document.querySelector('[role="dialog"]') !== null && !command)) return
      event.preventDefault()
      found.act()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [shortcuts])
}
