/**
 * Traffic that looks like a company's, for whoever tries the server: {@code holdfast serve --demo}. {@code Teams} make jobs, {@code
 * DemoWork} does them under locks of the server's own engine.
 */
@NullMarked
package dev.holdfast.server.demo;

import org.jspecify.annotations.NullMarked;
