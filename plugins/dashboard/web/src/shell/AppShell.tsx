import { useNavigate } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ReactNode, useMemo, useState } from 'react'
import { signOut } from '../api/session.js'
import type { Session } from '../api/sessionQuery.js'
import { boot } from '../boot.js'
import { Button } from '../components/controls/Button.js'
import { Menu } from '../components/controls/Menu.js'
import { shortened } from '../components/values/Copyable.js'
import { texts } from '../texts/texts.js'
import { AreaLinks } from './AreaLinks.js'
import type { AreaCommand, AreaPage } from './area.js'
import { Brand } from './Brand.js'
import { Palette } from './commands/Palette.js'
import { ShortcutList } from './commands/ShortcutList.js'
import { type Shortcut, useShortcuts } from './commands/shortcuts.js'
import { hrefOf } from './hrefOf.js'
import { Navigation } from './Navigation.js'
import { SignInAgain } from './session/SignInAgain.js'
import { ThemeMenu } from './ThemeMenu.js'
import { chooseTheme } from './theme.js'

export interface AppShellProps {
  readonly session: Session
  readonly pages: readonly AreaPage[]
  readonly commands?: readonly AreaCommand[]
  /** Path of the page that is shown. */
  readonly current: string
  find(text: string): void
  readonly children: ReactNode
}

const usePalette = (pages: readonly AreaPage[], go: (path: string) => void) => {
  const [isOpen, setOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const shortcuts = useMemo<readonly Shortcut[]>(
    () => [
      { key: 'k', command: true, text: texts.shortcuts.search, act: () => setOpen(true) },
      { key: '/', text: texts.shortcuts.search, act: () => setOpen(true) },
      { key: '?', text: texts.shortcuts.show, act: () => setHelpOpen(true) },
      ...pages.flatMap(({ path, title, key }) =>
        key === undefined ? [] : [{ key, afterG: true, text: texts.shortcuts.go(title), act: () => go(path) }],
      ),
    ],
    [pages, go],
  )
  useShortcuts(shortcuts)
  return { isOpen, setOpen, isHelpOpen, setHelpOpen, shortcuts }
}

/** What stands around every page of somebody who is signed in. */
export const AppShell = ({ session, pages, commands = [], current, find, children }: AppShellProps) => {
  const navigate = useNavigate()
  const go = useMemo(() => (path: string) => void navigate({ to: hrefOf(path) }), [navigate])
  const { isOpen, setOpen, isHelpOpen, setHelpOpen, shortcuts } = usePalette(pages, go)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const own: readonly AreaCommand[] = [
    ...commands,
    { text: texts.shortcuts.show, act: () => setHelpOpen(true) },
    { text: texts.shell.theme.dark, act: () => chooseTheme('dark') },
    { text: texts.shell.theme.light, act: () => chooseTheme('light') },
  ]
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.shell.skip}
      </a>
      <header className="side">
        <Brand href={`/${boot.area}`} />
        <SearchButton open={() => setOpen(true)} />
        <Navigation pages={pages} current={current} />
        <SideEnd session={session} />
      </header>
      <header className="top">
        <Dialog.Root open={isMenuOpen} onOpenChange={setMenuOpen}>
          <Dialog.Trigger asChild>
            <Button kind="quiet" aria-label={texts.shell.menu}>
              <MenuIcon aria-hidden />
            </Button>
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Overlay className="veil" />
            <Dialog.Content className="drawer" aria-describedby={undefined}>
              <Dialog.Title className="unseen">{texts.shell.navigation}</Dialog.Title>
              <Brand href={`/${boot.area}`} />
              <Navigation pages={pages} current={current} onGo={() => setMenuOpen(false)} />
              <SideEnd session={session} />
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
        <Brand href={`/${boot.area}`} />
        <Button kind="quiet" aria-label={texts.palette.open} onClick={() => setOpen(true)}>
          <Search aria-hidden />
        </Button>
      </header>
      <main id="content" className="main" tabIndex={-1}>
        {children}
      </main>
      <Palette open={isOpen} onClose={() => setOpen(false)} pages={pages} commands={own} go={go} find={find} />
      <ShortcutList open={isHelpOpen} onClose={() => setHelpOpen(false)} shortcuts={shortcuts} />
      <SignInAgain />
    </div>
  )
}

const SearchButton = ({ open }: { open(): void }) => (
  <Button onClick={open} size="small">
    <Search aria-hidden />
    {texts.palette.open}
    <span className="keys">
      <kbd>/</kbd>
    </span>
  </Button>
)

const leave = async (): Promise<void> => {
  await signOut().catch(() => undefined)
  location.assign(`/${boot.area}`)
}

const SideEnd = ({ session: { role, wallet, integrator } }: { readonly session: Session }) => (
  <div className="side-end">
    <AreaLinks operator={role === 'operator'} />
    <div className="row between">
      <Menu
        label={texts.shell.network(boot.network)}
        trigger={
          <Button kind="quiet" size="small">
            <span className="cut">
              {integrator?.name ?? (wallet === null ? texts.shell.account : shortened(wallet, 14))}
            </span>
          </Button>
        }
        items={[{ text: texts.shell.signOut, act: () => void leave() }]}
      />
      <ThemeMenu />
    </div>
  </div>
)
