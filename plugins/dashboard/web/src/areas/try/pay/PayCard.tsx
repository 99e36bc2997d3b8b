import { Send } from 'lucide-react'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { accountOf } from '../../../api/walletCalls.js'
import type { AnnouncedWallet } from '../../../api/wallets.js'
import { Button } from '../../../components/controls/Button.js'
import { CheckField } from '../../../components/controls/Field.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import { askQuote, type Quote } from '../quote/quote.js'
import { quoteBodyOf, type TryRoute } from '../route/tryRoute.js'
import { beginRun, changeRun } from '../watch/runs.js'
import { OwnWallets } from './OwnWallets.js'
import { type Paid, payWithWallet } from './walletPay.js'

const words = tryTexts.pay

export interface PayCardProps {
  readonly route: TryRoute
  /** Of what is chosen now; null: none yet. */
  readonly quote: Quote | null
  readonly mainnetIds: boolean
  readonly isPaying: boolean
  /** Nobody answers now. */
  readonly isAway: boolean
  setPaying(isPaying: boolean): void
  /** Shows a try. */
  onBegin(requestId: string): void
  kill(): Promise<void>
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const payInSandbox = (quote: Quote): Promise<Paid> => callApi<Paid>('/try/api/pay', { method: 'POST', body: { quote } })

/** Pays a quote and follows it from its first moment on. */
const usePay = ({ route, setPaying, onBegin }: PayCardProps) => {
  const [trouble, setTrouble] = useState<string | null>(null)
  const run = async (quote: Quote, pay: (quote: Quote) => Promise<Paid>): Promise<boolean> => {
    beginRun(quote, route.from.displayName, route.to.displayName)
    onBegin(quote.requestId)
    try {
      const { transactionId, said } = await pay(quote)
      changeRun(quote.requestId, { transactionId, said, sentAt: Date.now() })
      return true
    } catch (error) {
      changeRun(quote.requestId, { trouble: textOf(error) })
      return false
    }
  }
  const attempt = async (work: () => Promise<void>) => {
    setPaying(true)
    setTrouble(null)
    try {
      await work()
    } catch (error) {
      setTrouble(textOf(error))
    } finally {
      setPaying(false)
    }
  }
  return { trouble, run, attempt }
}

/** Sends what was chosen, with an account of the sandbox or a wallet of the browser. */
export const PayCard = (props: PayCardProps) => {
  const { route, quote, mainnetIds, isPaying, isAway, kill } = props
  const [andKill, setAndKill] = useState(false)
  const { trouble, run, attempt } = usePay(props)
  const send = () =>
    attempt(async () => {
      if (quote === null) return
      const isSent = await run(quote, payInSandbox)
      if (isSent && andKill) await kill()
    })
  const sendOwn = (wallet: AnnouncedWallet) =>
    attempt(async () => {
      const body = quoteBodyOf(route, await accountOf(wallet))
      if (body === null) return
      await run(await askQuote(body), (own) => payWithWallet(wallet, own))
    })
  return (
    <section className="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="small soft">{words.lead}</p>
      <Button kind="primary" disabled={quote === null || isPaying || isAway} onClick={() => void send()}>
        <Send aria-hidden />
        {isPaying ? words.sending : words.send}
      </Button>
      <div>
        <CheckField label={words.andKill} checked={andKill} onChange={({ target }) => setAndKill(target.checked)} />
        <p className="small faint">{words.andKillHint}</p>
      </div>
      {trouble !== null && (
        <Notice tone="bad">
          <span className="wrap">{trouble}</span>
        </Notice>
      )}
      <details>
        <summary>{words.ownTitle}</summary>
        <OwnWallets {...{ route, mainnetIds }} isBusy={isPaying || isAway} pay={(wallet) => void sendOwn(wallet)} />
      </details>
    </section>
  )
}
