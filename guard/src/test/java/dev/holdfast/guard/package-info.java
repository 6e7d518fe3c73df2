/** Tests of the guard, on doubles of its own seams: apps that are seen as told, machines that stop and start as told. */
@NullMarked
package dev.holdfast.guard;

import org.jspecify.annotations.NullMarked;
