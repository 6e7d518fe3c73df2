package dev.holdfast.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows why an application did not start, without a stack trace. */
final class HoldfastFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastStartException> {
    @Override
    protected FailureAnalysis analyze(Throwable whole, HoldfastStartException cause) {
        return new FailureAnalysis(cause.description() + ".", cause.action() + ".", cause);
    }
}
