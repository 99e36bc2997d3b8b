import { useNavigate } from '@tanstack/react-router'
import { Puzzle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type CallOptions, callApi } from '../../api/callApi.js'
import type { Session } from '../../api/sessionQuery.js'
import { useSession } from '../../api/useSession.js'
import { boot, type ExtensionFacts } from '../../boot.js'
import { FailedState, Skeleton } from '../../components/feedback/States.js'
import { texts } from '../../texts/texts.js'
import type { AreaPage } from '../area.js'
import { NotFound } from '../NotFound.js'

/** What a page or panel of another plugin is given. */
export interface ExtensionContext {
  /** Calls an operation of this service as whoever is signed in. */
  call<Answer>(path: string, options?: CallOptions): Promise<Answer>
  /** Of now: styles by the names of the tokens follow a change by themselves. */
  readonly theme: 'light' | 'dark'
  /** Without what only this page needs of it. */
  readonly session: Omit<Session, 'csrfToken'>
  /** Goes to a path of these pages, for example `/dashboard/requests`. */
  navigate(path: string): void
}

/** What the script of an extension exports. */
interface ExtensionModule {
  mount(element: HTMLElement, context: ExtensionContext): (() => void) | undefined
}

const themeNow = (): 'light' | 'dark' => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

/** Loads the script; only those of this origin. */
const load = async (script: string): Promise<ExtensionModule> => {
  const url = new URL(script, location.origin)
  if (url.origin !== location.origin) throw new Error(texts.extensions.foreign)
  const found: unknown = await import(/* @vite-ignore */ url.href)
  if (typeof Reflect.get(Object(found), 'mount') !== 'function') throw new Error(texts.extensions.noMount)
  // CAST: looked at above.
  return found as ExtensionModule
}

/** The element that an extension fills, for as long as it is shown. */
export const ExtensionHost = ({ extension }: { readonly extension: ExtensionFacts }) => {
  const host = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const session = useSession().data
  const [state, setState] = useState<{ readonly error: unknown } | 'loading' | 'shown'>('loading')
  const sessionId = session?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session mounts it anew, a newer reading of it does not
  useEffect(() => {
    const element = host.current
    if (element === null || session == null) return
    let unmount: (() => void) | undefined
    let isGone = false
    const { csrfToken: _own, ...shown } = session
    const context: ExtensionContext = {
      call: callApi,
      get theme() {
        return themeNow()
      },
      session: shown,
      navigate: (to) => void navigate({ to }),
    }
    load(extension.script).then(
      (module) => {
        if (isGone) return
        try {
          unmount = module.mount(element, context)
          setState('shown')
        } catch (error) {
          setState({ error })
        }
      },
      (error) => !isGone && setState({ error }),
    )
    return () => {
      isGone = true
      unmount?.()
      element.replaceChildren()
    }
  }, [extension.script, sessionId, navigate])
  return (
    <>
      {state === 'loading' && <Skeleton lines={4} />}
      {typeof state === 'object' && <FailedState error={state.error} />}
      <div ref={host} data-extension={extension.id} />
    </>
  )
}

/** The extensions of this area that have a page, or a panel. */
export const extensionsOf = (place: ExtensionFacts['place']): readonly ExtensionFacts[] =>
  boot.extensions.filter((each) => each.area === boot.area && each.place === place)

/** `/…/extensions/{id}`: a page that another plugin gives, with a heading of its own. */
const ExtensionPage = ({ id }: { readonly id: string | null }) => {
  const extension = extensionsOf('page').find((each) => each.id === id)
  const title = extension?.title
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${texts.product}`
  }, [title])
  return extension === undefined ? <NotFound /> : <ExtensionHost extension={extension} />
}

/** The pages of other plugins, as the navigation lists them. */
export const extensionPages = (): readonly AreaPage[] =>
  extensionsOf('page').map(({ id, title }) => ({
    path: `extensions/${id}`,
    title,
    icon: Puzzle,
    group: texts.extensions.group,
    component: ExtensionPage,
  }))
