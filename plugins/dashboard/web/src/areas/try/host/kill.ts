import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { changeRun, currentRuns, endOf } from '../watch/runs.js'

/** A process that was killed from this page. */
export interface Kill {
  readonly pid: number
  readonly at: number
  /** The process that came after it, and how long that took; null: none yet. */
  readonly next: { readonly pid: number; readonly ms: number } | null
}

/** Tries that are on their way remember that their host was killed. */
const markKilled = (pid: number): void => {
  for (const run of currentRuns())
    if (endOf(run) === null && run.trouble === null) changeRun(run.requestId, { killed: { pid, next: null } })
}

const markNext = (pid: number, next: number): void => {
  for (const run of currentRuns()) if (run.killed?.pid === pid) changeRun(run.requestId, { killed: { pid, next } })
}

/** Kills the host, and notices when another process answers. Tries that were on their way remember it. */
export const useKill = (sandbox: Sandbox) => {
  const client = useQueryClient()
  const [killed, setKilled] = useState<Kill | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const pid = sandbox.host.pid
  useEffect(() => {
    if (killed === null || killed.next !== null || pid === killed.pid) return
    setKilled({ ...killed, next: { pid, ms: Date.now() - killed.at } })
    markNext(killed.pid, pid)
    void client.invalidateQueries()
  }, [killed, pid, client])
  const kill = async (): Promise<void> => {
    setAsking(true)
    setTrouble(null)
    try {
      const { pid: dying } = await callApi<{ pid: number }>('/try/api/kill', { method: 'POST', body: {} })
      setKilled({ pid: dying, at: Date.now(), next: null })
      markKilled(dying)
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    } finally {
      setAsking(false)
    }
  }
  return { killed, trouble, isAsking, kill }
}
