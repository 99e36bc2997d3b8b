import { useEffect, useState } from 'react'
import { useSession } from '../../api/useSession.js'
import { Button } from '../../components/controls/Button.js'
import { Notice } from '../../components/feedback/Notice.js'
import { texts } from '../../texts/texts.js'
import { signInAgain } from './SignInAgain.js'

/** Whether a moment is over, told again when it is. */
const useIsOver = (at: number): boolean => {
  const [isOver, setOver] = useState(at <= Date.now())
  useEffect(() => {
    setOver(at <= Date.now())
    const timer = setTimeout(() => setOver(true), Math.max(0, at - Date.now()))
    return () => clearTimeout(timer)
  }, [at])
  return isOver
}

/** Says, before somebody fills a form that moves money, that it takes a new sign-in, and leads to it; nothing while the sign-in is fresh. */
export const OldSignIn = () => {
  const until = useSession().data?.moneyUntil
  const isOver = useIsOver(Date.parse(until ?? ''))
  if (until == null || !isOver) return null
  return (
    <Notice tone="warn">
      <div className="tight">
        <span>{texts.signIn.old}</span>
        <span>
          <Button size="small" onClick={() => void signInAgain()}>
            {texts.signIn.oldAct}
          </Button>
        </span>
      </div>
    </Notice>
  )
}
