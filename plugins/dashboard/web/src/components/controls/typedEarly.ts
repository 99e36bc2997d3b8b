import { type RefObject, useEffect, useRef } from 'react'

/** The field of a page that is sent drawn: what was typed into it before its script came is taken over. `take` sets a state, and stays the same. */
export const useTypedEarly = (take: (text: string) => void): RefObject<HTMLInputElement | null> => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current !== null && field.current.value !== '') take(field.current.value)
  }, [take])
  return field
}
