/**
 * Small parts that several modules of Holdfast need and Java does not have. They know nothing of ours.
 *
 * <pre>
 *   RecentMap          a map with a limit, which forgets what was not used for longest
 *   DaemonThreads      threads that do not keep a program alive
 *   Uninterruptibly    waiting that no interrupt ends
 *   LastWait           waiting, at a close, for what is under way
 *   Leftovers          what callers that have gone left behind, until it is given up
 *   Causes             what really failed, behind the wrappers of stages
 *   ShownText          texts of others in our messages
 *   PemCertificates    certificates in PEM form
 *   EditDistance       how far apart two words are
 * </pre>
 */
@NullMarked
package dev.holdfast.internal.parts;

import org.jspecify.annotations.NullMarked;
