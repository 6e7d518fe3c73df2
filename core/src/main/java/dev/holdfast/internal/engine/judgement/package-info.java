/**
 * What an engine may conclude. {@link dev.holdfast.internal.engine.judgement.Judgement} has its safety decisions, which tests replace one by one
 * to see that it is noticed; {@link dev.holdfast.internal.engine.judgement.Observation} what was watched for how long, where no clock can be
 * believed.
 */
@NullMarked
package dev.holdfast.internal.engine.judgement;

import org.jspecify.annotations.NullMarked;
