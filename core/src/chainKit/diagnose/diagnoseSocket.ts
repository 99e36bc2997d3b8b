import WebSocket from 'ws'
import type { Diagnosis, DiagnosisRequest } from '../../chain/endpoint/diagnosis.js'
import type { ChainDiagnosis } from './chainDiagnosis.js'

const REMEDY = 'Check the "ws" URL, or leave it out: heads are polled then, which is slower.'

/** Whether a websocket really announces a new head within the time. */
export const diagnoseSocket = (
  url: string,
  subject: string,
  { unit, heads }: Pick<ChainDiagnosis, 'unit'> & Required<Pick<ChainDiagnosis, 'heads'>>,
  { timeoutMs }: DiagnosisRequest,
): Promise<Diagnosis> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { handshakeTimeout: timeoutMs })
    const startedAt = performance.now()
    const end = (state: Diagnosis['state'], message: string) => {
      clearTimeout(timer)
      socket.removeAllListeners()
      // What still happens while it closes concerns nobody.
      socket.on('error', () => undefined)
      socket.terminate()
      const found = { check: 'rpc websocket', subject, state, message }
      resolve(state === 'ok' ? found : { ...found, remedy: REMEDY })
    }
    const timer = setTimeout(
      () => end('fault', `announced no ${unit} within ${Math.round(timeoutMs / 1000)} s`),
      timeoutMs,
    )
    socket.on('error', () => end('fault', 'cannot be connected'))
    socket.on('close', () => end('fault', 'was closed by the node'))
    socket.on('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...heads.topic })))
    socket.on('message', (data: Buffer) => {
      if (data.toString().includes(heads.notification)) {
        end('ok', `announced a ${unit} after ${Math.round(performance.now() - startedAt)} ms`)
      }
    })
  })
