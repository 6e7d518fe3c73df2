package dev.holdfast.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Shows why an application did not start, without a stack trace. Asked first: what it knows is closer to the cause than what wraps it. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class HoldfastFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastStartException> {
    @Override
    protected FailureAnalysis analyze(Throwable whole, HoldfastStartException cause) {
        return new FailureAnalysis(cause.description() + ".", cause.action() + ".", cause);
    }
}
