// The chain of table 2 of Nguyen and Brogliato 2011 (21 steel balls that touch, the first comes with 1 m/s, es = 1) in
// Siconos' class MultipleImpact, which has no Python side. Prints one line: dP, seconds of processor time of the impact,
// velocities afterwards. `carom bench --only lzb` runs it and compares. Built only where Siconos 4 is found.
//
// usage: beside_siconos_lzb [dP]
#include <EventDriven.hpp>
#include <Interaction.hpp>
#include <LCP.hpp>
#include <LagrangianLinearTIDS.hpp>
#include <LagrangianLinearTIR.hpp>
#include <LsodarOSI.hpp>
#include <MultipleImpact.hpp>
#include <MultipleImpactNSL.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <SiconosException.hpp>
#include <SiconosVector.hpp>
#include <SimpleMatrix.hpp>
#include <TimeDiscretisation.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

static double now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

static const int balls = 21;
static const double radius = 0.01, density = 7780.0, young = 203e9, poisson = 0.3, pi = 3.14159265358979323846;

static std::shared_ptr<LagrangianLinearTIDS> ball(int i)
{
    auto place = std::make_shared<SiconosVector>(1), speed = std::make_shared<SiconosVector>(1);
    auto mass = std::make_shared<SimpleMatrix>(1, 1);
    (*place)(0) = 2.0 * radius * i;
    (*speed)(0) = i == 0 ? 1.0 : 0.0;
    (*mass)(0, 0) = 4.0 / 3.0 * pi * radius * radius * radius * density;
    return std::make_shared<LagrangianLinearTIDS>(place, speed, mass);
}

static std::shared_ptr<Interaction> contact()
{
    const double stiffness = 4.0 / 3.0 * std::sqrt(radius / 2.0) * young / (2.0 * (1.0 - poisson * poisson));
    auto slope = std::make_shared<SimpleMatrix>(1, 2);
    auto offset = std::make_shared<SiconosVector>(1);
    (*slope)(0, 0) = -1.0;
    (*slope)(0, 1) = 1.0;
    (*offset)(0) = -2.0 * radius;
    return std::make_shared<Interaction>(std::make_shared<MultipleImpactNSL>(1.0, stiffness, 1.5),
                                         std::make_shared<LagrangianLinearTIR>(slope, offset));
}

int main(int argc, char **argv)
{
    const double dP = argc > 1 ? std::atof(argv[1]) : 1e-6;
    try {
        auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1e-3);
        std::vector<std::shared_ptr<LagrangianLinearTIDS>> row;
        for (int i = 0; i < balls; i++) {
            row.push_back(ball(i));
            system->insertDynamicalSystem(row.back());
        }
        for (int i = 0; i + 1 < balls; i++)
            system->link(contact(), row[static_cast<size_t>(i)], row[static_cast<size_t>(i) + 1]);
        auto impact = std::make_shared<MultipleImpact>("BiStiffness", dP);
        impact->SetNstepMax(1000000000);
        auto simulation = std::make_shared<EventDriven>(system, std::make_shared<TimeDiscretisation>(0.0, 1e-4));
        simulation->insertIntegrator(std::make_shared<LsodarOSI>());
        simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
        simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
        simulation->initialize();
        const double start = now();
        simulation->advanceToEvent();
        simulation->processEvents();
        std::printf("%.17g %.17g", dP, now() - start);
        for (const auto &b : row)
            std::printf(" %.17g", (*b->velocity())(0));
        std::printf("\n");
    } catch (...) {
        Siconos::exception::process();
        return 1;
    }
    return 0;
}
