/** Colours of the pages for people, by what each is for; the same that their style sheets have. */
export interface Palette {
  readonly page: string
  readonly surface: string
  readonly sunken: string
  readonly line: string
  readonly lineStrong: string
  readonly ink: string
  readonly inkSoft: string
  readonly accent: string
  readonly accentSoft: string
  readonly good: string
  readonly goodSoft: string
  readonly warn: string
  readonly warnSoft: string
  readonly bad: string
  readonly badSoft: string
  readonly busy: string
  readonly busySoft: string
  /** Of examples, which are on a dark ground in both. */
  readonly code: string
  readonly codeInk: string
}

export const PALETTES = {
  light: {
    page: '#f7f4ee',
    surface: '#fffdf9',
    sunken: '#efeae0',
    line: '#ddd5c7',
    lineStrong: '#8b8474',
    ink: '#16201f',
    inkSoft: '#4b5654',
    accent: '#0b5c69',
    accentSoft: '#dcefee',
    good: '#17673f',
    goodSoft: '#dcf0e2',
    warn: '#85500a',
    warnSoft: '#fbeccd',
    bad: '#a92a22',
    badSoft: '#fbe3df',
    busy: '#2a55a8',
    busySoft: '#e0e9fb',
    code: '#111c1e',
    codeInk: '#eef3f1',
  },
  dark: {
    page: '#0b1415',
    surface: '#111c1e',
    sunken: '#0e181a',
    line: '#263538',
    lineStrong: '#6c7f82',
    ink: '#eef3f1',
    inkSoft: '#b6c3c1',
    accent: '#62d6c6',
    accentSoft: '#123336',
    good: '#6fd79a',
    goodSoft: '#11301f',
    warn: '#f0bd62',
    warnSoft: '#342509',
    bad: '#ff968c',
    badSoft: '#3a1614',
    busy: '#93b7ff',
    busySoft: '#16264a',
    code: '#081011',
    codeInk: '#eef3f1',
  },
} as const satisfies Readonly<Record<string, Palette>>

const answerColours = (color: string, backgroundColor: string, tabTextColor: string) => ({
  color,
  backgroundColor,
  tabTextColor,
})

/** The theme of the library that shows the description. It mixes colours by itself, so it takes no variables of the style sheet. */
export const libraryTheme = (colours: Palette) => {
  const { ink, inkSoft, accent, accentSoft, line, lineStrong, surface, sunken, code, codeInk } = colours
  const { good, goodSoft, warn, warnSoft, bad, badSoft, busy, busySoft } = colours
  const fontFamily = 'system-ui, sans-serif'
  return {
    spacing: { sectionVertical: 28 },
    colors: {
      primary: { main: accent },
      success: { main: good },
      warning: { main: warn },
      error: { main: bad },
      gray: { 50: sunken, 100: line },
      border: { light: line, dark: lineStrong },
      text: { primary: ink, secondary: inkSoft },
      responses: {
        success: answerColours(good, goodSoft, PALETTES.dark.good),
        error: answerColours(bad, badSoft, PALETTES.dark.bad),
        redirect: answerColours(warn, warnSoft, PALETTES.dark.warn),
        info: answerColours(busy, busySoft, PALETTES.dark.busy),
      },
      http: {
        get: PALETTES.light.good,
        post: PALETTES.light.busy,
        put: PALETTES.light.warn,
        patch: PALETTES.light.warn,
        delete: PALETTES.light.bad,
      },
    },
    schema: {
      linesColor: lineStrong,
      typeNameColor: inkSoft,
      typeTitleColor: inkSoft,
      requireLabelColor: bad,
      nestedBackground: sunken,
      arrow: { color: inkSoft },
    },
    typography: {
      fontSize: '15px',
      fontFamily,
      headings: { fontFamily, fontWeight: '640' },
      code: { color: ink, backgroundColor: accentSoft },
      links: { color: accent, visited: accent, hover: accent },
    },
    sidebar: {
      backgroundColor: surface,
      textColor: inkSoft,
      activeTextColor: accent,
      groupItems: { activeBackgroundColor: accentSoft, activeTextColor: accent, textTransform: 'none' },
      level1Items: { activeBackgroundColor: accentSoft, activeTextColor: accent, textTransform: 'none' },
      arrow: { color: inkSoft },
    },
    rightPanel: {
      backgroundColor: code,
      textColor: codeInk,
      servers: { overlay: { backgroundColor: surface, textColor: ink }, url: { backgroundColor: sunken } },
    },
    codeBlock: { backgroundColor: '#16262a' },
    fab: { backgroundColor: surface, color: accent },
  }
}
