/** Everything a component needs to draw and to remember, from one place. */
import { Fragment, h, render } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { batch, computed, signal, useComputed } from "@preact/signals";
import htm from "htm";

/** @typedef {import("preact").ComponentChildren} Children */

/** Template tag; text put into it is always escaped. */
export const html = htm.bind(h);

export {
  batch,
  computed,
  Fragment,
  render,
  signal,
  useComputed,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
};
