import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { tryTexts } from '../../../texts/tryTexts.js'

const words = tryTexts.host
const POLL_MS = 1_000
const MAX_LINES = 400

interface LogLine {
  readonly at: string | null
  readonly level: string | null
  readonly text: string
}

interface LogPart {
  readonly lines: readonly LogLine[]
  readonly next: number
}

interface NumberedLine extends LogLine {
  readonly id: number
}

/** Lines as they are written, across restarts: the file outlives the process. */
const useLog = (): readonly NumberedLine[] => {
  const [lines, setLines] = useState<readonly NumberedLine[]>([])
  const after = useRef(0)
  const count = useRef(0)
  const { data } = useQuery({
    queryKey: ['try', 'log'],
    queryFn: ({ signal }) => callApi<LogPart>('/try/api/log', { query: { after: after.current }, signal }),
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  })
  useEffect(() => {
    if (data === undefined || data.next === after.current) return
    after.current = data.next
    const numbered = data.lines.map((line) => {
      count.current += 1
      return { ...line, id: count.current }
    })
    setLines((known) => [...known, ...numbered].slice(-MAX_LINES))
  }, [data])
  return lines
}

const momentOf = (at: string | null): string => (at === null ? '' : at.slice(11, 23))

const eventOf = (text: string): 'killed' | 'ready' | null =>
  text.startsWith('the host is killed') ? 'killed' : text.startsWith('the host is ready') ? 'ready' : null

const Line = ({ line: { at, level, text }, isMarked }: { readonly line: LogLine; readonly isMarked: boolean }) => {
  const event = eventOf(text)
  return (
    <li data-level={level} data-event={event} data-marked={isMarked}>
      {event !== null && (
        <strong className="log-event">{event === 'killed' ? words.killedHere : words.readyHere}</strong>
      )}
      <span className="soft number">{momentOf(at)}</span> {isMarked && <em>{words.marked}</em>}{' '}
      <span className="wrap">{text}</span>
    </li>
  )
}

/** The last lines of the log; it stays at its end unless somebody scrolls up. */
export const HostLog = ({ marked }: { readonly marked: readonly string[] }) => {
  const lines = useLog()
  const box = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: further lines are why it scrolls
  useEffect(() => {
    const element = box.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [lines])
  return (
    <div className="tight">
      <h3>{words.log}</h3>
      <ol
        ref={box}
        className="log"
        aria-label={words.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
        }}
      >
        {lines.length === 0 && <li className="faint">{words.logEmpty}</li>}
        {lines.map((line) => (
          <Line key={line.id} line={line} isMarked={marked.some((id) => line.text.includes(id))} />
        ))}
      </ol>
      <p className="small faint">{words.logHint}</p>
    </div>
  )
}
