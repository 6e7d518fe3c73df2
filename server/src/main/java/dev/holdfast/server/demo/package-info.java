/** Traffic that looks like a company's, for whoever tries the server: {@code holdfast serve --demo}. */
@NullMarked
package dev.holdfast.server.demo;

import org.jspecify.annotations.NullMarked;
