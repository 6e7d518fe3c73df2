/**
 * The reference of the calls: {@code openapi.json}, written by hand, and {@code docs.html}, the same for people. The page is made of
 * the document by {@code DocsPage}, in the tests of this module; a test fails while the two differ, and says how to make it anew.
 */
@NullMarked
package dev.holdfast.server.docs;

import org.jspecify.annotations.NullMarked;
