import { BookOpen, Gauge, LayoutDashboard, Play } from 'lucide-react'
import { boot } from '../boot.js'
import { texts } from '../texts/texts.js'

const areas = () => [
  { area: 'dashboard', href: '/dashboard', text: texts.areas.dashboard, icon: LayoutDashboard },
  { area: 'console', href: '/console', text: texts.areas.console, icon: Gauge },
  ...(boot.sandbox ? [{ area: 'try', href: '/try', text: texts.areas.try, icon: Play }] : []),
  { area: 'documentation', href: '/documentation', text: texts.shell.documentation, icon: BookOpen },
]

/** The other parts of the service that people look at. */
export const AreaLinks = ({ operator }: { readonly operator: boolean }) => (
  <nav className="nav" aria-label={texts.shell.areas}>
    {areas()
      .filter(({ area }) => area !== boot.area && (operator || area !== 'console'))
      .map(({ area, href, text, icon: Icon }) => (
        <a key={area} href={href}>
          <Icon className="icon" aria-hidden />
          {text}
        </a>
      ))}
  </nav>
)
