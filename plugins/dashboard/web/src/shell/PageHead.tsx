import { type ReactNode, useEffect } from 'react'
import { texts } from '../texts/texts.js'

/** The heading of a page, with what can be done on it. It names the browser's tab too. */
export const PageHead = ({
  title,
  lead,
  crumb,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly crumb?: ReactNode
  readonly children?: ReactNode
}) => {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <header className="head">
      <div className="head-words">
        {crumb !== undefined && <div className="crumb">{crumb}</div>}
        <h1>{title}</h1>
        {lead !== undefined && <div className="soft">{lead}</div>}
      </div>
      {children !== undefined && <div className="head-actions">{children}</div>}
    </header>
  )
}
