/**
 * The part of playwright-core 1.65 that the tests use. Its own declarations would pull in the DOM
 * library. Code for the page is passed as text, code for one element as a function of its
 * properties.
 */

/** Starts browsers. */
export const chromium: {
  launch(options: {
    readonly executablePath: string;
    readonly args: readonly string[];
  }): Promise<Browser>;
  /** With a persistent profile in this folder, the browser's only one. */
  launchPersistentContext(folder: string, options: {
    readonly executablePath: string;
    readonly args: readonly string[];
    readonly viewport: { readonly width: number; readonly height: number };
    readonly ignoreDefaultArgs?: readonly string[];
  }): Promise<BrowserContext>;
};

/** A running browser. */
export interface Browser {
  newContext(options: {
    readonly viewport: { readonly width: number; readonly height: number };
    readonly colorScheme: "light" | "dark";
    readonly javaScriptEnabled?: boolean;
    readonly permissions?: readonly string[];
    readonly reducedMotion?: "reduce" | "no-preference";
    readonly deviceScaleFactor?: number;
    readonly proxy?: { readonly server: string; readonly bypass: string };
    readonly httpCredentials?: { readonly username: string; readonly password: string };
  }): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** A separate profile. */
export interface BrowserContext {
  newPage(): Promise<Page>;
  pages(): readonly Page[];
  close(): Promise<void>;
  route(pattern: string, handler: (route: Route) => Promise<void>): Promise<void>;
  on(
    event: "request" | "requestfinished" | "requestfailed",
    listener: (request: PageRequest) => void,
  ): void;
}

/** A request of a page. */
export interface PageRequest {
  url(): string;
  /** Such as `document`, `image` or `eventsource`. */
  resourceType(): string;
}

/** An intercepted request. */
export interface Route {
  request(): PageRequest;
  abort(): Promise<void>;
  continue(): Promise<void>;
}

/** One page. */
export interface Page {
  readonly mouse: { down(): Promise<void>; up(): Promise<void> };
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  goto(url: string): Promise<{ status(): number } | null>;
  close(): Promise<void>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  click(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  selectOption(selector: string, value: string): Promise<unknown>;
  setInputFiles(selector: string, file: {
    readonly name: string;
    readonly mimeType: string;
    readonly buffer: Uint8Array;
  }): Promise<void>;
  locator(selector: string): Locator;
  getByText(text: string, options?: { readonly exact?: boolean }): Locator;
  frameLocator(selector: string): { locator(selector: string): Locator };
  evaluate<T>(code: string): Promise<T>;
  emulateMedia(media: { readonly colorScheme: "light" | "dark" }): Promise<void>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  setDefaultTimeout(ms: number): void;
  route(pattern: string, handler: (route: Route) => Promise<void>): Promise<void>;
  waitForEvent(event: "download"): Promise<Download>;
  on(event: "filechooser", listener: (chooser: FileChooser) => void): void;
  on(event: "console", listener: (message: ConsoleMessage) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
}

/** A file chooser that a page has opened. */
export interface FileChooser {
  setFiles(file: {
    readonly name: string;
    readonly mimeType: string;
    /** A `Buffer` of `node:buffer`. */
    readonly buffer: Uint8Array;
  }): Promise<void>;
}

/** A download. */
export interface Download {
  url(): string;
  suggestedFilename(): string;
  cancel(): Promise<void>;
}

/** A line in the console of the page. */
export interface ConsoleMessage {
  type(): string;
  text(): string;
  /** Its source: the resource, if that failed to load. */
  location(): { readonly url: string };
}

/** Elements found by a selector, looked up at each use. */
export interface Locator {
  first(): Locator;
  nth(index: number): Locator;
  locator(selector: string): Locator;
  getByText(text: string, options?: { readonly exact?: boolean }): Locator;
  count(): Promise<number>;
  click(): Promise<void>;
  hover(): Promise<void>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  innerText(): Promise<string>;
  textContent(): Promise<string | null>;
  allInnerTexts(): Promise<string[]>;
  getAttribute(name: string): Promise<string | null>;
  isVisible(): Promise<boolean>;
  waitFor(options?: { readonly state?: "visible" | "hidden" | "attached" }): Promise<void>;
  evaluate<T>(look: (element: Record<string, unknown>) => T): Promise<T>;
}
