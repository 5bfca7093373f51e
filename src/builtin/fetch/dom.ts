// The part of the DOM that is used here: the program is compiled without a browser's types.

export interface DomElement {
  readonly nodeName: string
  readonly firstChild: DomElement | null
  readonly children: Iterable<DomElement>
  textContent: string | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  getElementsByTagName(name: string): ArrayLike<DomElement>
  querySelectorAll(selector: string): Iterable<DomElement>
  replaceChildren(...nodes: DomElement[]): void
  remove(): void
}

export interface DomDocument {
  readonly documentElement: DomElement | null
  readonly body: DomElement
  createElement(name: string): DomElement
  querySelector(selector: string): DomElement | null
  querySelectorAll(selector: string): Iterable<DomElement>
}
