import type { ReactNode } from 'react'
import { texts } from '../texts/texts.js'
import { Brand } from './Brand.js'
import { ThemeMenu } from './ThemeMenu.js'

export interface OpenShellProps {
  readonly home: string
  readonly links?: readonly { readonly href: string; readonly text: string }[]
  readonly children: ReactNode
}

/** What stands around a page that needs no sign-in. */
export const OpenShell = ({ home, links = [], children }: OpenShellProps) => (
  <div className="page-open">
    <a className="skip" href="#content">
      {texts.shell.skip}
    </a>
    <header className="open-head">
      <Brand href={home} />
      <nav aria-label={texts.shell.areas}>
        {links.map(({ href, text }) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
        <a href="/documentation">{texts.shell.documentation}</a>
      </nav>
      <ThemeMenu />
    </header>
    <main id="content" className="open-main" tabIndex={-1}>
      {children}
    </main>
  </div>
)
