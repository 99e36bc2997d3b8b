import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiFailure } from '../../api/callApi.js'
import { sessionQuery } from '../../api/sessionQuery.js'
import { Button } from '../../components/controls/Button.js'
import { Dialog } from '../../components/controls/Dialogs.js'
import { texts } from '../../texts/texts.js'
import { SignInForm } from './SignIn.js'

let ask: (() => Promise<void>) | null = null

/** Does what may need a fresh sign-in: asks for one where the service wants it, and tries again. @throws ApiFailure */
export const withFreshSignIn = async <Result,>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'SIGN_IN_AGAIN' || ask === null) throw error
    await ask()
    return work()
  }
}

/** Asks for a fresh sign-in now; whoever says no to it is left where they are. */
export const signInAgain = async (): Promise<void> => {
  await ask?.().catch(() => undefined)
}

interface Waiting {
  done(): void
  failed(error: unknown): void
}

/** The dialog of `withFreshSignIn`; it stands once on a page. */
export const SignInAgain = () => {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  useEffect(() => {
    ask = () => new Promise((done, failed) => setWaiting({ done, failed }))
    return () => {
      ask = null
    }
  }, [])
  const close = () => {
    waiting?.failed(new ApiFailure(texts.signIn.againLead, 403, 'SIGN_IN_AGAIN'))
    setWaiting(null)
  }
  return (
    <Dialog open={waiting !== null} onClose={close} title={texts.signIn.again} lead={texts.signIn.againLead}>
      <SignInForm
        tokenFirst
        onDone={async () => {
          await client.invalidateQueries(sessionQuery)
          waiting?.done()
          setWaiting(null)
        }}
      />
      <div className="dialog-end">
        <Button onClick={close}>{texts.data.cancel}</Button>
      </div>
    </Dialog>
  )
}
