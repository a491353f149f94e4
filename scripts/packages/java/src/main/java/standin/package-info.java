/** Reads and asserts on what a running standin has captured, with an extension for JUnit 5. */
package standin;
