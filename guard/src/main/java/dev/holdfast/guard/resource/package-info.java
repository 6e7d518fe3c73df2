/**
 * What is known of one resource, as values. {@link dev.holdfast.guard.resource.ResourceRecord} is what is stored of it, with its states
 * drawn. {@link dev.holdfast.guard.resource.Topology} tells which databases are one and the same thing to stop, a {@link
 * dev.holdfast.guard.resource.StopUnit}; a {@link dev.holdfast.guard.resource.ResourceSnapshot} is both, and the apps, as read at one moment.
 */
@NullMarked
package dev.holdfast.guard.resource;

import org.jspecify.annotations.NullMarked;
