package io.trapline;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The house: which room may know which. The rooms are described in src/README.md. */
@AnalyzeClasses(packages = "io.trapline", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {

    @ArchTest
    static final ArchRule arrowsGoDownwards = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.trapline..")
            .layer("tls")
            .definedBy("io.trapline.tls..")
            .layer("trigger")
            .definedBy("io.trapline.trigger..")
            .layer("host")
            .definedBy("io.trapline.host..")
            .layer("campaign")
            .definedBy("io.trapline.campaign..")
            .layer("journal")
            .definedBy("io.trapline.journal..")
            .layer("analysis")
            .definedBy("io.trapline.analysis..")
            .layer("report")
            .definedBy("io.trapline.report..")
            .layer("cluster")
            .definedBy("io.trapline.cluster..")
            .layer("http")
            .definedBy("io.trapline.http..")
            .layer("cli")
            .definedBy("io.trapline.cli..")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("http")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("cluster")
            .mayOnlyBeAccessedByLayers("http", "cli")
            .whereLayer("report")
            .mayOnlyBeAccessedByLayers("http", "cli")
            .whereLayer("analysis")
            .mayOnlyBeAccessedByLayers("report", "cluster", "http", "cli")
            .whereLayer("journal")
            .mayOnlyBeAccessedByLayers("analysis", "report", "cluster", "http", "cli")
            .whereLayer("campaign")
            .mayOnlyBeAccessedByLayers("journal", "analysis", "report", "cluster", "http", "cli")
            .whereLayer("host")
            .mayOnlyBeAccessedByLayers("campaign", "journal", "analysis", "report", "cluster", "http", "cli")
            .whereLayer("tls")
            .mayOnlyBeAccessedByLayers("cluster", "http", "cli")
            .whereLayer("trigger")
            .mayOnlyBeAccessedByLayers("host", "journal", "analysis", "report", "cluster", "http", "cli");

    @ArchTest
    static final ArchRule noRoomIsEnteredTwice =
            slices().matching("io.trapline.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule akkaStaysInTwoRooms = noClasses()
            .that()
            .resideOutsideOfPackages("io.trapline.cluster..", "io.trapline.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("akka..", "scala..");

    @ArchTest
    static final ArchRule javaUsesTheJavaInterface =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("akka..scaladsl..");

    @ArchTest
    static final ArchRule nothingStaticChanges =
            fields().that().areStatic().should().beFinal();
}
