/** What the server says about itself: the OpenAPI document, and a page for people made of it. */
@NullMarked
package dev.holdfast.server.docs;

import org.jspecify.annotations.NullMarked;
