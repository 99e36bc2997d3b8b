import { type RefObject, useEffect, useRef } from 'react'

/** The field of a page that is sent drawn: what was typed into it before its script came is taken over. */
export const useTypedEarly = (take: (text: string) => void): RefObject<HTMLInputElement | null> => {
  const field = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script comes
  useEffect(() => {
    if (field.current !== null && field.current.value !== '') take(field.current.value)
  }, [])
  return field
}
