/** The rendering library in one place. */
import { h, render } from "preact";
import {
  useEffect,
  useErrorBoundary,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "preact/hooks";
import { batch, computed, signal, useComputed } from "@preact/signals";
import htm from "htm";

/** @typedef {import("preact").ComponentChildren} Children */

/** Template tag; always escapes inserted text. */
export const html = htm.bind(h);

export {
  batch,
  computed,
  render,
  signal,
  useComputed,
  useEffect,
  useErrorBoundary,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
};
