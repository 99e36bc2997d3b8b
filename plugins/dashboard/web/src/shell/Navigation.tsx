import { Link } from '@tanstack/react-router'
import { texts } from '../texts/texts.js'
import type { AreaPage } from './area.js'
import { hrefOf } from './hrefOf.js'

/** The pages of an area, under their headings. */
export const Navigation = ({
  pages,
  current,
  onGo,
}: {
  readonly pages: readonly AreaPage[]
  readonly current: string
  onGo?(): void
}) => {
  const shown = pages.filter(({ hidden }) => hidden !== true)
  const groups = [...new Set(shown.map(({ group }) => group ?? ''))]
  return (
    <nav aria-label={texts.shell.navigation} className="stack">
      {groups.map((group) => (
        <div key={group} className="nav">
          {group !== '' && <div className="nav-title">{group}</div>}
          {shown
            .filter((page) => (page.group ?? '') === group)
            .map(({ path, title, icon: Icon }) => (
              <Link
                key={path}
                to={hrefOf(path)}
                activeOptions={{ exact: true }}
                aria-current={path === current ? 'page' : undefined}
                {...(onGo ? { onClick: onGo } : {})}
              >
                <Icon className="icon" aria-hidden />
                {title}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  )
}
