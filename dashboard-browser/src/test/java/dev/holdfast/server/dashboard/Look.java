package dev.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.AxeResults;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * How a page is looked at. A build tries both themes and both widths, one of each with one of the other; with
 * {@code -Dholdfast.dashboard.looks=all} each with each.
 */
enum Look {
    LIGHT_WIDE(ColorScheme.LIGHT, 1280, 900),
    DARK_NARROW(ColorScheme.DARK, 390, 844),
    LIGHT_NARROW(ColorScheme.LIGHT, 390, 844),
    DARK_WIDE(ColorScheme.DARK, 1280, 900);

    private static final Path PICTURES = Path.of("target/dashboard");

    private final ColorScheme scheme;
    private final int width;
    private final int height;

    Look(ColorScheme scheme, int width, int height) {
        this.scheme = scheme;
        this.width = width;
        this.height = height;
    }

    static List<Look> tried() {
        return System.getProperty("holdfast.dashboard.looks", "").equals("all")
                ? List.of(values())
                : List.of(LIGHT_WIDE, DARK_NARROW);
    }

    /** A test of each page in each look. */
    static Stream<DynamicTest> each(Stream<String> pages, BiConsumer<String, Look> check) {
        return pages.flatMap(page -> tried().stream()
                .map(look -> DynamicTest.dynamicTest(look.named(page), () -> check.accept(page, look))));
    }

    /** A new reader who looks like this; what moves is noted. */
    Page page(Chromium chromium) {
        Page page = chromium.page(width, height, scheme);
        Chromium.watchShifts(page);
        return page;
    }

    /** What it looks like goes to a file. */
    void picture(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(PICTURES.resolve(named(name) + ".png"))
                .setFullPage(true));
    }

    /** No violation of WCAG, and nothing is wider than the window. */
    void assertAccessible(Page page) {
        AxeResults found = new AxeBuilder(page).analyze();
        assertThat(found.getPasses()).as("rules that were tried").hasSizeGreaterThan(10);
        assertThat(found.getViolations().stream().map(Rule::getHelp))
                .as(page.url())
                .isEmpty();
        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
    }

    private String named(String page) {
        return page + "-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width;
    }
}
