/** Everything a component needs to draw and to remember, from one place. */
import { createContext, Fragment, h, render } from "preact";
import {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "preact/hooks";
import { batch, computed, effect, signal, useComputed, useSignal } from "@preact/signals";
import htm from "htm";

/** @typedef {import("preact").ComponentChildren} Children */
/** @typedef {(strings: TemplateStringsArray, ...values: unknown[]) => import("preact").VNode} Template */

/**
 * Template tag; text put into it is always escaped. The declarations of htm describe its CommonJS form.
 */
export const html =
  /** @type {{ bind(create: typeof h): Template }} */ (/** @type {unknown} */ (htm)).bind(h);

export {
  batch,
  computed,
  createContext,
  effect,
  Fragment,
  render,
  signal,
  useCallback,
  useComputed,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useSignal,
  useState,
};
