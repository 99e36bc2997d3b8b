import { KeyRound, Wallet } from 'lucide-react'
import { useState } from 'react'
import { signInWithToken, signInWithWallet } from '../../api/session.js'
import { useWallets } from '../../api/wallets.js'
import { Button } from '../../components/controls/Button.js'
import { TextField } from '../../components/controls/Field.js'
import { useTypedEarly } from '../../components/controls/typedEarly.js'
import { Notice } from '../../components/feedback/Notice.js'
import { texts } from '../../texts/texts.js'
import { AreaLinks } from '../AreaLinks.js'
import { Brand } from '../Brand.js'
import { ThemeMenu } from '../ThemeMenu.js'

export interface SignInFormProps {
  readonly tokenFirst?: boolean
  /** Somebody is signed in now. */
  onDone(): void | Promise<void>
}

/** Opens a session, by a wallet of the browser or a token of the command line. */
export const SignInForm = ({ tokenFirst = false, onDone }: SignInFormProps) => {
  const wallets = useWallets()
  const [trouble, setTrouble] = useState<string | null>(null)
  const [isWorking, setWorking] = useState(false)
  const [token, setToken] = useState('')
  const field = useTypedEarly(setToken)
  const attempt = async (work: () => Promise<void>) => {
    setWorking(true)
    setTrouble(null)
    try {
      await work()
      await onDone()
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    } finally {
      setWorking(false)
    }
  }
  const byWallet = (
    <div className="tight" key="wallet">
      {wallets.map((wallet) => (
        <Button
          key={wallet.info.uuid}
          kind="primary"
          disabled={isWorking}
          onClick={() => void attempt(() => signInWithWallet(wallet))}
        >
          <Wallet aria-hidden />
          {texts.signIn.wallet(wallet.info.name.slice(0, 40))}
        </Button>
      ))}
      {wallets.length === 0 && <p className="soft">{texts.signIn.noWallets}</p>}
    </div>
  )
  const byToken = (
    <form
      key="token"
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(() => signInWithToken(token.trim()))
      }}
    >
      <TextField
        label={texts.signIn.token}
        hint={texts.signIn.tokenHint}
        ref={field}
        type="password"
        value={token}
        onChange={({ target }) => setToken(target.value)}
        required
      />
      <Button type="submit" disabled={isWorking || token.trim() === ''} kind={tokenFirst ? 'primary' : 'plain'}>
        <KeyRound aria-hidden />
        {texts.signIn.tokenSubmit}
      </Button>
    </form>
  )
  return (
    <div className="stack">
      {trouble !== null && <Notice tone="bad">{trouble}</Notice>}
      {tokenFirst ? [byToken, byWallet] : [byWallet, byToken]}
    </div>
  )
}

export interface SignInPageProps extends Pick<SignInFormProps, 'onDone'> {
  readonly operator: boolean
  readonly ended: boolean
}

/** The page of whoever is not signed in. */
export const SignInPage = ({ operator, ended, onDone }: SignInPageProps) => (
  <div className="page-open">
    <header className="open-head">
      <Brand href="/dashboard" />
      <ThemeMenu />
    </header>
    <main className="open-main" id="content">
      <section className="card narrow sign-in">
        <h1>{texts.signIn.title}</h1>
        {ended && <Notice tone="warn">{texts.signIn.ended}</Notice>}
        <p className="soft">{texts.signIn.lead}</p>
        <SignInForm tokenFirst={operator} onDone={onDone} />
        <AreaLinks operator />
      </section>
    </main>
  </div>
)
