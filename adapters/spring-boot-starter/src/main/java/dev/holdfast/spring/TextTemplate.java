package dev.holdfast.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** A text with expressions in braces, such as {@code sync-project-{#key}}, as it stands in the annotation. Safe for any thread. */
record TextTemplate(String text, List<Expression> parts) {
    static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParserContext BRACES = new TemplateParserContext("{", "}");
    /** Variables that every expression has. */
    private static final Set<String> ALWAYS = Set.of("root", "this");

    /**
     * Reads a text for calls of this method.
     *
     * @throws IllegalArgumentException if an expression cannot be parsed, or names a parameter that the method does not have
     */
    static TextTemplate of(String text, Method method) {
        try {
            Expression parsed = PARSER.parseExpression(text, BRACES);
            List<Expression> parts = parsed instanceof CompositeStringExpression several
                    ? List.of(several.getExpressions())
                    : List.of(parsed);
            for (Expression part : parts) {
                if (part instanceof SpelExpression expression) {
                    checkVariables(expression, method);
                }
            }
            return new TextTemplate(text, parts);
        } catch (ParseException e) {
            throw new IllegalArgumentException("'" + text + "' cannot be parsed: " + e.getMessage(), e);
        }
    }

    private static void checkVariables(SpelExpression expression, Method method) {
        Set<String> used = new TreeSet<>();
        collectVariables(expression.getAST(), used);
        used.removeAll(ALWAYS);
        String @Nullable [] names = PARAMETER_NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            used.remove("p" + i);
            used.remove("a" + i);
            if (names != null) {
                used.remove(names[i]);
            }
        }
        if (!used.isEmpty()) {
            throw new IllegalArgumentException("'{" + expression.getExpressionString() + "}' names #"
                    + String.join(", #", used) + ", but the method has "
                    + (names != null
                            ? "no such parameter; it has " + List.of(names)
                            : "parameters without names; compile with -parameters, or write #p0 for the first"));
        }
    }

    private static void collectVariables(SpelNode node, Set<String> found) {
        if (node instanceof VariableReference) {
            found.add(node.toStringAST().substring(1)); // behind the #
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collectVariables(node.getChild(i), found);
        }
    }

    /** Whether it is the same in every call. */
    boolean isFixed() {
        return parts.stream().allMatch(LiteralExpression.class::isInstance);
    }

    /**
     * The text of one call.
     *
     * @throws IllegalArgumentException if a part cannot be evaluated, or is null
     */
    String value(EvaluationContext context) {
        if (parts.size() == 1 && parts.get(0) instanceof LiteralExpression literal) {
            return String.valueOf(literal.getValue());
        }
        return parts.stream().map(part -> value(part, context)).collect(Collectors.joining());
    }

    private String value(Expression part, EvaluationContext context) {
        @Nullable String value;
        try {
            value = part.getValue(context, String.class);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(
                    "'{" + part.getExpressionString() + "}' in '" + text + "' cannot be evaluated: " + e.getMessage(),
                    e);
        }
        if (value == null) {
            // Without it, calls that have nothing in common would share a lock.
            throw new IllegalArgumentException("'{" + part.getExpressionString() + "}' in '" + text + "' is null");
        }
        return value;
    }
}
